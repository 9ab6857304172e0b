/**
 * PluS's use of ClassAds: which node may be taken for which reservation ({@code reservable.ad}).
 *
 * <p>In: the text of an administrator, a question about one node, the time, and what of
 * reservations the owner has already, which the caller answers. Out: yes, or no and why.
 *
 * <p>Invariant: names that begin with {@code PLUS_} are given by the scheduler and cannot be set by
 * the text, but for {@code PLUS_NODE_RESERVABLE}, which the text must set. A question whose answer
 * is anything but true is a no.
 */
package io.millrace.reservations.classad.plus;
