/**
 * The attributes of cluster objects: one table for all who name, check or print them.
 *
 * <p>In: an object kind, an attribute's name as an administrator typed it, and a text. Out: the
 * attribute's definition (spelling, type, who may set it, default) and the text in the form in
 * which PBS shows it. The administrative shard checks changes against the table; the gateway prints
 * objects in its order.
 *
 * <p>Invariant: an attribute that is not in the table does not exist, and each one that may be set
 * has an effect. Normalising a normalised text changes nothing.
 */
package io.millrace.schemas.pbs.attributes;
