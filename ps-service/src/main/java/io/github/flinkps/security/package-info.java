/**
 * Keys, certificates and tokens of files, by which servers and clients know each other. What is
 * read is read again when its files change.
 */
package io.github.flinkps.security;
