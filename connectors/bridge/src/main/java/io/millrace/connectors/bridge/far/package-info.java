/**
 * What the ways to another host have in common, whether it is reached by SSH or is a container of
 * this one.
 *
 * <p>In: a way to start commands there, and one to an sftp-server there. Out: what is under way
 * there, and files as those of this host.
 *
 * <p>Invariant: whatever breaks says nothing about what was asked; a way that cannot be had is
 * tried again in pauses that grow.
 */
package io.millrace.connectors.bridge.far;
