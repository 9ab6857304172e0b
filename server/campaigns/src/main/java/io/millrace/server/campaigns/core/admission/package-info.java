/**
 * Which campaigns are taken: rules in CEL, which root and the home's owner set.
 *
 * <p>In come rules, or the command that submits a campaign; out goes why it is refused. Invariant:
 * what a rule costs has a bound, whatever it says and whatever a description holds; a rule that
 * cannot be decided takes nothing.
 */
package io.millrace.server.campaigns.core.admission;
