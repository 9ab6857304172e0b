/**
 * When an outside system is asked, and for what: the paces of its questions and the turns that
 * those for the whole of something take; and questions about jobs of which its queue does not tell
 * enough: one that it does not show is asked for by its number, one that shows no mark is held
 * against those that do.
 */
package io.millrace.connectors.bridge.question;
