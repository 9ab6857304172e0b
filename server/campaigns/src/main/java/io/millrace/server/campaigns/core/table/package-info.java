/**
 * Where the state of campaigns is kept: records by their keys.
 *
 * <p>In go changed records, out come copies of them. Invariant: keys of one kind begin alike and
 * are in the order of their numbers; a record that was read is nobody else's.
 */
package io.millrace.server.campaigns.core.table;
