/**
 * What facts mean for the accounts, and the texts of their lines.
 *
 * <p>In: a fact, and the job as the book has it. Out: lines for the file of their day, and the job
 * as the next lines need it.
 *
 * <p>Invariant: a job whose beginning the ledger does not tell gives no lines; a user's text cannot
 * begin a line or a value of its own.
 */
package io.millrace.server.accounting.account;
