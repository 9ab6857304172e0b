/**
 * Faults that are injected on purpose, to see whether the checks find them.
 *
 * <p>In: the kind of fault, and a run that is under way. Out: one fault, injected from the outside:
 * with an administrator's rights, on disks, with processes; and a sentence that says what it was.
 *
 * <p>Invariant: no part of the system has code for it.
 */
package io.millrace.ops.faults.sabotage;
