/** Client and server together: real servers in this process, reached by sockets and without. */
package io.github.flinkps.service;
