/** The command's output can't be written, so it is incomplete. */
export class OutputError extends Error {
	override readonly name = 'OutputError';

	constructor(cause: NodeJS.ErrnoException) {
		super(`stdout can't be written (${reasons[cause.code ?? ''] ?? cause.code}): the output is incomplete`, {
			cause,
		});
	}
}

const reasons: Readonly<Record<string, string>> = {
	ENOSPC: 'disk full',
	EDQUOT: 'disk quota reached',
	EFBIG: 'file too large',
	EBADF: 'it is closed',
};
