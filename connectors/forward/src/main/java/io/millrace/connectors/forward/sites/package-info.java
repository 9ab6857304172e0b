/**
 * Speaks to other installations about parts of reservations that are there.
 *
 * <p>In: the compacted topic of wholes, which says what is wanted of each part; the answers of the
 * other installations' doors. Out: commands for these doors, each under an id that makes it done
 * once; ReportSitePart to the shard of the whole.
 *
 * <p>Invariant: nothing is kept here. Who starts anew reads what is wanted, and does it again under
 * the same id; what cannot be understood of an answer counts as not known, never as done. That a
 * part was never made is concluded from a refusal only if nobody can have asked for it before.
 */
package io.millrace.connectors.forward.sites;
