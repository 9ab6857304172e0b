/**
 * The deciding heart of a shard, free of Kafka, files and clocks.
 *
 * <p>At the bottom stand {@code state} (tables, and what is written together), {@code decision}
 * (what deciders see and return, and how they are found), {@code placement} (where things belong
 * and fit), {@code order} (what hosts are told), {@code work} (what one subject has another one do
 * behind it). Above them is a package for each subject, with its {@code Deciders}, which read and
 * return a decision, and its {@code Appliers}, the only code that changes state; the schemas name
 * the subject of each record, timer and work. {@code shard} stands on top.
 *
 * <p>Invariant: packages have no circles, and no subject calls the deciders of another one.
 */
package io.millrace.server.core;
