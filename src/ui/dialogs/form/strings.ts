/** Texts of the forms for profiles. They are cleaned when drawn, together with filled-in values. */
export const strings = {
	connect: {
		/** `kept`: what another address leaves behind. */
		edit: (name: string, kept?: string) => ({
			title: `Profile ${name}`,
			submit: 'Save',
			intro: `Stored data belongs to an address. Another address has its own sessions and drafts${kept === undefined ? '' : `; ${kept}`}.`,
		}),
		exists: {
			hint: 'exists: connecting asks whether to change it',
			problem: (name: string) => `The profile ${name} exists: choose another name, or change it.`,
			title: (name: string) => `Change the profile ${name}?`,
			question: (before: string, after: string) =>
				before === after
					? `It has this address already, ${after}. Its key source is replaced.`
					: `Its address, ${before}, becomes ${after}. Data stored for the old address stays with it.`,
		},
		unreachable: {
			title: 'Save anyway?',
			text: (problem: string) =>
				`${problem} The key can't be checked now. If it was used at this address before, the data stored for it shows at once.`,
		},
		isTaken: (name: string) => `Another profile has the name ${name}`,
		isEmbedded: (name: string) => `${name} is the name of the embedded service`,
		address: {label: 'Address', hint: 'of the service, such as https://service.example'},
		appAddress: {label: 'App address', hint: 'of readiness reports, if it differs; optional'},
		badName: 'Only letters, digits, dots and dashes',
		badKey: 'Not a key: a key is one word. Paste it again',
		badAddress: (problem: string) => `The address ${problem}: try https://service.example`,
		asAddress: (address: string) => `as ${address}`,
		replaceKey: {
			title: (profile: string) => `Replace the key of ${profile}`,
			submit: 'Replace',
			intro: (folder: string, ownFile: string | undefined) =>
				`A pasted key is saved in a private file in ${folder}.${ownFile === undefined ? '' : ` The file ${ownFile} stays as it is.`}`,
			hint: 'paste the new key, or the path of a key file',
			pathHint: 'a path: from now on the key is read from this file',
		},
		source: 'Key source',
		sources: {typed: 'typed here', file: 'file', command: 'command', environment: 'env'},
		sourceHints: {
			typed: 'the key, saved in a private file, or the path of a key file',
			file: 'a file of yours with the key; only its path is saved',
			command: 'a command prints the key; only the command is saved',
			environment: 'QUARTERDECK_API_KEY has the key; nothing is saved',
		},
		typed: {label: 'Key', hint: 'paste the key, or the path of a key file'},
		typedPath: {label: 'Key', hint: 'a path: the key will be read from this file'},
		savedKey: {label: 'Key', hint: 'paste another one here; empty keeps the saved one'},
		file: {label: 'Key file', hint: 'full path, such as ~/keys/acme; its mode must be 0600'},
		command: {label: 'Command', hint: 'prints the key, such as pass show acme/api-key'},
		missing: {
			address: 'The address is missing',
			name: 'The name is missing',
			typed: 'The key is missing',
			file: 'The file is missing',
			command: 'The command is missing',
		},
	},
} as const;
