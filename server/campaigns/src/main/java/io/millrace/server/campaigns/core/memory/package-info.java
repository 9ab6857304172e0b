/**
 * How much memory campaigns take, and when it is too much.
 *
 * <p>In come campaigns, and the table in which their parts lie; out go bytes, and whether something
 * more of one may be sent. Invariant: what was counted is counted once, as it was last.
 */
package io.millrace.server.campaigns.core.memory;
