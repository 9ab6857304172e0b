/**
 * Which dialect a policy's texts or a recorded session are in, by what stands in them.
 *
 * <p>In: texts by the names of their files, or a folder. Out: the {@link
 * io.millrace.ops.dialect.PolicyDialect} or {@link io.millrace.ops.dialect.CaseKind} that knows
 * them; none where they are Grid Engine's, which is what remains.
 *
 * <p>A further dialect implements the two and adds its lines to the list of the words {@code
 * policy} and {@code simulate}.
 */
package io.millrace.ops.dialect;
