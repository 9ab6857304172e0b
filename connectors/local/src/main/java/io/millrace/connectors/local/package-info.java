/**
 * The executor of a host, put together: what a PBS mom does.
 *
 * <p>In come orders from the topic {@code dispatch} (package order). They become requests to an
 * execution (packages run and execution), which keeps its runs in a spool (package spool); out go
 * reports to the topic {@code commands} (package report). What the executor is to know of its host
 * and of its own place there stands in host.
 *
 * <p>The invariant: a run's program is exec'ed at most once, whatever is killed and whenever,
 * because the supervisor links the file {@code started} into place before the exec; and a run
 * directory stays until its outcome was handed over, so that each run is reported.
 */
package io.millrace.connectors.local;
