/**
 * How another process learns at once that a part has ended, without looking again and again.
 *
 * <p>In: a file of each part below {@code run}. Out: the part holds a lock of it as long as it
 * lives; who waits for the lock sleeps in the kernel until then.
 *
 * <p>Invariant: the lock only wakes. Whether a part lives is what its pid file says.
 */
package io.millrace.ops.life;
