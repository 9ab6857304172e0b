/**
 * What an OAR is asked for in its own words.
 *
 * <p>In: the words of a user. Out: how many processors they are, how one host is asked for them, or
 * why they cannot be sent.
 *
 * <p>Invariant: nothing passes that a shell could read between double quotes, since OAR's API puts
 * what it is sent there.
 */
package io.millrace.schemas.oar;
