/**
 * What administrators say of all campaigns.
 *
 * <p>In: a file of rules and the home of a running campaign server. Out: rules that count, or one
 * line why they do not. Invariant: rules are set together or not at all.
 */
package io.millrace.ops.campaigns;
