/**
 * Dedicated times of the Origin2000 dialect.
 *
 * <p>Comes in: what the site's program prints about a host and about the whole system. Goes out:
 * the dedicated time that counts for a host at a time. Invariant: of two that overlap the system's
 * counts, and what was once known stays until a usable answer replaces it.
 */
package io.millrace.schedulers.dialects.origin2000.dedicated;
