/**
 * A container of this host as the host of a cluster's commands and files, by the program of its
 * engine.
 *
 * <p>In: commands as lists of words, and paths. Out: the same answers as of commands of this host,
 * and what stands in the files.
 *
 * <p>Invariants: nothing is started as root in it, and no word is read by a shell; what the engine
 * says is never taken for what a command says; a container that was put in the place of the one
 * that was known is not believed.
 */
package io.millrace.connectors.bridge.container;
