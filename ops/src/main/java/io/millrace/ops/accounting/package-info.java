/**
 * {@code ./millrace accounting}: accounting files for the whole ledger, computed again.
 *
 * <p>In: a home whose broker serves, an empty folder. Out: one file for each day, as the part
 * {@code accounting} writes them.
 *
 * <p>Invariant: the files that the running part writes are not touched.
 */
package io.millrace.ops.accounting;
