/**
 * Millrace as its users meet it: the launcher script and the commands, run from a shell.
 *
 * <p>In: the assembled distribution. Out: verdicts from what the commands print, from the files
 * that jobs wrote, and from Kafka's topics. Nothing here calls a class of the product to change
 * something; the topics are read and abused as an outsider would.
 *
 * <p>Invariant: an installation lives below a temporary folder of its own and ends with its test,
 * or, where classes share one, with the run of all tests; processes are ended one by one, by the
 * launcher's pid files.
 *
 * <p>With root's rights jobs run as an ordinary user, hosts are network namespaces and small disks
 * are mounted; without them the same is done as far as it goes, and what was left out is printed.
 */
package io.millrace.ops.e2e;
