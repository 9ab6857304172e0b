/**
 * What each command tells of itself: after {@code --help} and as a manual page.
 *
 * <p>In: the syntax that a command reads its own options by, and a text in {@code help/NAME.txt}
 * beside these classes with a sentence for each option. Out: plain text and roff.
 *
 * <p>Invariant: an option is described exactly when the command takes it, and named as not
 * supported exactly when the command refuses it; reading a page that breaks this fails.
 */
package io.millrace.server.gateway.help;
