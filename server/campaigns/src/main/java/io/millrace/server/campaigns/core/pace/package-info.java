/**
 * How fast campaigns go, how hard pressed clusters are, and what keeps tasks from them.
 *
 * <p>In come the records of campaigns and of what was seen of clusters; out go figures. Invariant:
 * they follow from these records alone.
 */
package io.millrace.server.campaigns.core.pace;
