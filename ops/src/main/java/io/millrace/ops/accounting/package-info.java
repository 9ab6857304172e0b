/**
 * {@code ./millrace accounting}: accounting files of all that the ledger holds, written anew.
 *
 * <p>In: a home whose broker serves, an empty folder. Out: one file for each day, as the part
 * {@code accounting} writes them.
 *
 * <p>Invariant: the files that are written all the time are not touched.
 */
package io.millrace.ops.accounting;
