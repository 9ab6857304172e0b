/**
 * What a part tells of itself to whoever watches it: whether it lives, whether it can serve and why
 * not, and its numbers. All numbers are in one table, {@link io.millrace.schemas.health.Metric}.
 */
package io.millrace.schemas.health;
