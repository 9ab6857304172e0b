/**
 * Which tasks of a campaign a scheduler of CiGri's specification sends, beyond handing out the next
 * ones, and how much of a cluster's room one user gets beside others.
 *
 * <p>In comes what runs and what it has cost, out go the tasks that are sent. Each strategy is one
 * small file, reads no clock and remembers nothing.
 */
package io.millrace.schedulers.campaigns.strategies;
