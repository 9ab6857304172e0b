/**
 * Who is told of what happens to campaigns.
 *
 * <p>In come wishes of users, and what happened; out go facts that each become one letter. What is
 * to be told lies with the subscription, equal things as one with their number, until its letter is
 * written.
 *
 * <p>Invariant: what a subscription keeps has a bound, and a letter's fact takes it away: nothing
 * is told twice.
 */
package io.millrace.server.campaigns.core.notice;
