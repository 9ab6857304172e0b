/**
 * New passwords for the principals of a home's own broker.
 *
 * <p>In: principals whose passwords are to be renewed, or what an interrupted renewal has left.
 * Out: the broker knows the new passwords, and the files of etc/kafka have them.
 *
 * <p>Invariant: whenever it is interrupted, each password that the broker may know stands in a file
 * of the home; going on always ends with the new ones.
 */
package io.millrace.ops.keys;
