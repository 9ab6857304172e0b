/**
 * Where the parts of a home tell their health: the port of each, and what it answers there.
 *
 * <p>In: the address of {@code up --health} and the names of parts. Out: options of the parts, and
 * lines of {@code status}.
 *
 * <p>Invariant: a part's port follows from its name alone, so that who watches need not ask.
 */
package io.millrace.ops.health;
