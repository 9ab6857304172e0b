/**
 * The folder of one installation: where its settings, passwords, logs and marks of running parts
 * are.
 *
 * <p>In: the folder's path. Out: paths, the settings that were fixed when the cluster was
 * initialised, and the client settings of each Kafka principal.
 *
 * <p>Invariant: a password is generated once and lies in a file that only its owner can read, with
 * the exception of the principal "monitor", who may look at facts and nothing else.
 */
package io.millrace.ops.home;
