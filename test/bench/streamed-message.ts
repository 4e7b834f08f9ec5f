/** What the streaming service is asked to be. */
export type StreamingOptions = {
	/** Messages a second. */
	readonly rate: number;
	/** How many are there when it starts. */
	readonly before: number;
	/** Unix ms. */
	readonly startedAt: number;
	readonly order: 'newest first' | 'oldest first';
	/** Messages as the contract has them: without a role. */
	readonly isBare: boolean;
};

/** What was there at the start is older than any lag of a listing, ms. */
const ageAtStart = 10 * 60_000;

/** The message of a number: the same one whoever asks, so that it can be kept before it is read. */
export function streamedMessage(
	number: number,
	{before, startedAt, isBare}: Pick<StreamingOptions, 'before' | 'startedAt' | 'isBare'>,
) {
	return {
		id: `streamed-${number}`,
		...(!isBare && {role: 'assistant'}),
		createdAt: startedAt + (number - before) * 20 - (number < before ? ageAtStart : 0),
		content: [{type: 'text', text: `${number} the agent edits a file and runs tests`}],
	};
}
