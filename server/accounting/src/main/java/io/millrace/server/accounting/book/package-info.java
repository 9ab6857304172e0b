/**
 * What has to outlive the process, and the parts of lines that are kept as finished texts.
 *
 * <p>In: jobs that are not over, places in the ledger, lengths of files. Out: the same, after a
 * restart as it was when it was last kept.
 *
 * <p>Invariant: everything that belongs together is kept in one step.
 */
package io.millrace.server.accounting.book;
