/**
 * The parameter service of a job: the source whose readers host the servers (or keep the session
 * with a remote cluster), and the registry in which workers find it. Readers answer on their task's
 * thread. They start a server, and load and save the model, on one thread of their own, as that
 * takes time. The enumerator runs on the JobManager's coordinator thread and does its files on the
 * coordinator's worker thread. In BATCH runtime mode the task that trains hosts the service itself.
 */
package io.github.flinkps.flink.service;
