/** How long the hook waits at most, ms. All hooks of a SessionEnd share 1.5 s in some clients. */
export const deadlines = {
	/** The whole run, from its first line, and that of a SessionEnd. */
	run: 1000,
	sessionEnd: 600,
	/** One program: to be reached, and to answer. */
	connect: 200,
	answer: 150,
};
