/** Tests of the columns. */
@NullMarked
package dev.gmptrace.analyzer.model;

import org.jspecify.annotations.NullMarked;
