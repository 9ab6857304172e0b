/**
 * Questions about jobs of which an outside system's queue does not tell enough: one that it does
 * not show is asked for by its number, one that shows no mark is held against those that do.
 */
package io.millrace.connectors.bridge.question;
