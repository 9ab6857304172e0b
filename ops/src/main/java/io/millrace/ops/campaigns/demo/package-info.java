/**
 * {@code ./millrace campaign-demo}: a campaign whose tasks each compute a tile of a picture, while
 * local jobs come and go.
 *
 * <p>In: how many tasks. Out: a table of clusters while they run, and the picture.
 *
 * <p>Invariant: it uses nothing that a user and an administrator could not use, has an installation
 * of its own, and says so when a tile is missing.
 */
package io.millrace.ops.campaigns.demo;
