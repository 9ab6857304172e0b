/**
 * Execution of runs on this host, without Kafka: by supervisor programs, or as if for benchmarks.
 *
 * <p>In come requests, signals and orders to runs. Out go their starts and ends, each once in a
 * life of the execution, and again in the next life when it was not released.
 *
 * <p>Invariant: a supervisor needs nothing of Millrace to do its work; opening the same spool again
 * finds all runs as they are now.
 */
package io.millrace.connectors.local.execution;
