/** The hook's deadlines, ms. In some clients all hooks of a SessionEnd share 1.5 s. */
export const deadlines = {
	/** The whole run, from its first line; `sessionEnd` applies to SessionEnd events. */
	run: 1000,
	sessionEnd: 600,
	/** To connect to one program, and to get its answer. */
	connect: 200,
	answer: 150,
};
