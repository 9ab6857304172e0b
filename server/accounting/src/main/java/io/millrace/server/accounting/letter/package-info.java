/**
 * Who is written to about which fact, and letters that wait.
 *
 * <p>In: facts, and the job as the book has it before them. Out: letters in the book, until they
 * are sent.
 *
 * <p>Invariant: a letter is put into the book with the place in the ledger that it comes from; all
 * that wait take a bounded number of bytes.
 */
package io.millrace.server.accounting.letter;
