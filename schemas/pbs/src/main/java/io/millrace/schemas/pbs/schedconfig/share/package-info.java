/**
 * PBS's fair share as its files and its command know it: {@code resource_group}, the entities of
 * jobs, and {@code pbsfs}.
 *
 * <p>In: the text of a file, words of a command line. Out: a {@link
 * io.millrace.schemas.pbs.schedconfig.share.ShareTree} and the texts of PBS.
 *
 * <p>Invariant: the tree that a text gives does not depend on what was used.
 */
package io.millrace.schemas.pbs.schedconfig.share;
