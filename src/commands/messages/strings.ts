export const strings = {
	messages: {
		noneOfRole: (role: string) => `the session has no messages with role ${role}`,
		cut: (count: string) => `stopped after ${count} messages, the maximum: the session has more`,
		incomplete: 'messages may be missing: the service gives no way to read the rest',
		orderUnknown:
			'these messages have neither different times nor sequence numbers: their order is not known',
		older: 'older messages are left out: --all prints them',
		unknownRoles: (count: string, reason: string | undefined) =>
			`${count === '1' ? '1 message has' : `${count} messages have`} an unknown role${reason === undefined ? '' : `: ${reason}`}`,
	},
	parts: {
		unknownRole: 'unknown',
		client: 'client',
		error: ' (error)',
		thinking: (text: string) => `[thinking] ${text}`,
		tool: (name: string, input: string) => `[tool] ${name} ${input}`,
		other: (words: string) => `[${words}]`,
	},
	search: {
		noWord: 'WORD must contain a letter or a digit',
		searchedOf: (size: string) => `only the newest ${size} of transcripts were searched`,
		none: 'not found; only cached messages are searched, and only the beginning and the end of long ones',
	},
};
