/**
 * How many tasks of a campaign are sent to a cluster: flood control, in CiGri's words prediction.
 *
 * <p>In comes what is seen of the cluster at a moment ({@link
 * io.millrace.schedulers.campaigns.predictors.ClusterSight}), out goes how many waiting tasks are
 * taken back and how many are sent ({@link io.millrace.schedulers.campaigns.predictors.Flow}). A
 * predictor remembers what it sent and nothing else, reads no clock, and belongs to one campaign on
 * one cluster. Each is one small file, found by its name in {@link
 * io.millrace.schedulers.campaigns.predictors.Predictors}.
 */
package io.millrace.schedulers.campaigns.predictors;
