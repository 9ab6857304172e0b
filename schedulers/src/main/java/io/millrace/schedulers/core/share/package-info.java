/**
 * Fair share: who is entitled to how much, and who has used how much of it.
 *
 * <p>In: shares by name, in a tree, and amounts that were used. Out: which of two entities is more
 * deserving. Simple semantics: each vertex has a part of what its parent has, by its shares among
 * its siblings'; of two entities that one comes first which has used less for its part, seen from
 * the top, where their ways part.
 *
 * <p>Invariant: what an entity has used is also used by every vertex above it; no usage is below 1.
 */
package io.millrace.schedulers.core.share;
