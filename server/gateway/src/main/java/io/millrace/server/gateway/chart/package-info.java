/**
 * Nodes over time, drawn with characters.
 *
 * <p>In come times at which a node is held, with what holds it. Out goes text of a given width.
 *
 * <p>Invariants: asks nobody and knows no time but the one that it is given; the text's size is
 * bounded whatever the number of nodes; what is left out is said in a line of its own.
 */
package io.millrace.server.gateway.chart;
