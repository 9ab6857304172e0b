/**
 * CiGri's language for campaigns, its JDL: a JSON document that names a program, its tasks and the
 * clusters.
 *
 * <p>In comes the text of a document, out goes a {@link
 * io.millrace.server.campaigns.jdl.CampaignDocument}, or every fault with its place in the document
 * and a reason. One table, {@link io.millrace.server.campaigns.jdl.JdlFields}, has all fields: the
 * reader, the JSON Schema and the page of the manual are made from it.
 *
 * <p>Invariant: the text is read once from front to back, parameters are handed on one by one, and
 * every length is bounded; a document can cost neither much memory nor much time. What stands in it
 * says nothing of who its author is.
 */
package io.millrace.server.campaigns.jdl;
