import {type Safe, safe} from '../../../text/cells/safe.ts';

/** Every text of the forms. They are cleaned when drawn, together with filled-in values. */
export const strings = {
	form: {
		/** What Enter does while this field has a problem. */
		goTo: (field: string) => `go to ${field}`,
		/** For a focused field with choices; the footer has the other keys. */
		select: safe`← → select`,
		/** Above the fields of a form that has text from before. */
		reopened: safe`The text from last time is filled in.`,
		noText: 'This field takes no text: ← → select',
		busy: 'waiting for the service',
		busyText: (busy: Safe) => safe`${busy} ...`,
		leaving: (name: string) => `Still opening ${name}: a form can be opened after that`,
		replacesKey: (key: Safe) => `Or close this form: ${key} replaces the key.`,
		typedSince: 'Text typed while the form was waiting was not sent',
		length: (length: number, max: number) => ` · ${length} of ${max}`,
		/** Before the hint of a field that is filled in, until it is edited. */
		replaced: 'typing replaces it; ',
	},

	check: {
		name: 'The name',
		user: 'The user',
		folder: 'The folder',
		missing: (what: string) => `${what} is missing`,
		tooLong: (what: string, length: number, max: number) =>
			`${what} has ${length} characters; the maximum is ${max}`,
		uuid: 'Not a UUID, such as 01234567-89ab-cdef-0123-456789abcdef',
		cannotClear: (what: string, start: string) =>
			`The service can't clear the ${what}: enter another or keep ${start}`,
		tooManyRepos: (count: number, max: number) => `${count} repositories; the maximum is ${max}`,
		repo: (number: number, problem: string) => `Repository ${number} ${problem}`,
		repoTooLong: (length: number, max: number) => `has ${length} characters; the maximum is ${max}`,
		writeAs: (url: string) => `must be written ${url}`,
		repoUrl: 'is not a URL such as https://host/team/repo.git',
		bothLists: (item: string) => `${item} is both allowed and denied: remove it from one list`,
	},

	computer: {
		create: {title: 'New computer', submit: 'Create'},
		edit: {title: 'Edit computer', submit: 'Save'},
		name: {label: 'Name', hint: '1 to 63 characters'},
		firstIntro: 'A session runs on a computer. This creates the first one; all it needs is filled in.',
		freeName: (number: number) => `computer-${number}`,
		where: {label: 'Where', hint: 'this machine, or another that ssh or a command reaches'},
		here: 'this machine',
		otherHost: 'another ssh host',
		byCommand: 'by a command',
		ssh: {label: 'Host', hint: 'as ssh calls it: a name of ~/.ssh/config, or user@host'},
		noHost: 'The host is missing',
		command: {label: 'Command', hint: 'runs a program there, such as podman exec -i gpu'},
		noCommand: 'The command is missing',
		ofHost: (problem: string) => `The host ${problem}`,
		ofCommand: (problem: string) => `The command ${problem}`,
		copy: {
			title: (host: string) => `Use ${host}?`,
			text: (host: string) =>
				`Quarterdeck is copied to ~/.local/share/quarterdeck on ${host} (2.5 MB), and this machine's Node if there is none (up to 130 MB). Its service is started there, as the user you log in as.`,
		},
		user: {
			label: 'Remote user',
			hint: 'the user on it that runs the sessions; 1 to 63 characters',
		},
		repos: (max: number) => ({
			label: 'Repositories',
			hint: `URLs separated by spaces, at most ${max}; optional`,
		}),
		install: {label: 'Install deps', hint: 'if repos: only when there are repositories'},
		installChoices: {auto: 'if repos', yes: 'yes', no: 'no'},
		provider: {
			label: 'Provider',
			hint: 'any: the service chooses; your machine: one you registered',
		},
		providerUnset: 'any',
		// With the contract's words.
		ownMachine: 'your machine (byom)',
		cloudSandbox: 'cloud sandbox (e2b)',
		hostId: {label: 'Host id', hint: 'of a registered machine, a UUID; optional'},
		knownHostId: 'a UUID',
		unread: '; not read yet: empty keeps it',
		hostIdName: 'host id',
		keepIt: 'it',
	},

	session: {
		newSettings: {title: 'Settings of the new session', submit: 'Use'},
		plansWith: (model: string) => `plans with ${model}`,
		tools: (count: number) => (count === 1 ? '1 tool' : `${count} tools`),
		edit: {title: 'Edit session', submit: 'Save'},
		rename: {title: 'Rename session', submit: 'Rename'},
		newMode: {label: 'Mode', hint: 'what the agent may do unasked: nothing, edit files, or only plan'},
		worktree: {
			label: 'Work in',
			hint: 'its own worktree: a separate folder and git branch; 3×: three such sessions for one message',
		},
		worktrees: {
			none: 'the folder',
			own: 'its own worktree',
			several: (count = '') => `${count}×, each in its own worktree`,
		},
		newModel: {label: 'Model', hint: "empty: the service's default"},
		newPlanModel: {label: 'Plan model', hint: "model for planning; empty: the service's default"},
		localName: {label: 'Local name', hint: "only this machine shows it; the session's title stays as it is"},
		model: {label: 'Model', hint: 'as the service names it'},
		planModel: {label: 'Plan model', hint: 'model for planning'},
		modelName: 'model',
		planModelName: 'plan model',
		tags: ['Tags', 'names'],
		allowed: ['Tools allowed', 'ids'],
		denied: ['Tools denied', 'ids'],
		newList: (what: string) => `${what} separated by commas; optional`,
		knownList: (what: string) => `${what} separated by commas: the whole list`,
		unreadList: (what: string) => `${what} separated by commas; replaces the list (not read yet)`,
	},

	tags: {
		form: (count: number) => ({
			title: count === 1 ? 'Tag the session' : `Tag ${count} sessions`,
			submit: 'Tag',
		}),
		add: {label: 'Add', hint: 'names separated by commas; other tags stay'},
		remove: (known: readonly string[]) => ({
			label: 'Remove',
			hint: known.length > 0 ? `now: ${known.join(', ')}` : 'names separated by commas',
		}),
		nothing: 'Name a tag to add or to remove',
		both: (name: string) => `${name} is in both lists: remove it from one`,
	},

	add: {
		form: {title: 'Add by id', submit: 'Add'},
		what: {label: 'Type', hint: 'c computer, s session'},
		computer: 'computer',
		session: 'session',
		id: {label: 'Id', hint: 'one or several, as the web app shows them'},
		noId: 'The id is missing',
		failed: (id: string, what: string) => `${id}: ${what}`,
	},

	connect: {
		form: {title: 'Connect to a service', submit: 'Connect'},
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
		name: {label: 'Profile', hint: 'a name for it: letters, digits, dots and dashes'},
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

	days: {
		form: {title: 'Date range', submit: 'Show'},
		from: (first: string) => ({label: 'From', hint: `YYYY-MM-DD, UTC; first available: ${first}`}),
		to: (last: string) => ({label: 'To', hint: `up to ${last}; compared with the period before it`}),
		notDate: 'Not a date: use YYYY-MM-DD',
		tooEarly: (first: string) => `Before ${first}, the first day available`,
		tooLate: (last: string) => `After ${last}, the last day available (UTC)`,
		reversed: (from: string) => `Before ${from}, the first day`,
	},

	export: {
		form: {title: 'Export this page', submit: 'Export', busy: 'writing'},
		messages: 'Export the messages',
		credits: 'Credits are called billable_tokens in the file, as the service calls them.',
		format: {label: 'Format', hint: 'c CSV, j JSON'},
		formatOfTables: {label: 'Format', hint: 'c CSV, one file per table; j JSON, one file for all'},
		formatOfDocument: {label: 'Format', hint: 'm Markdown, j JSON'},
		formats: {
			csv: {label: 'CSV', key: 'c'},
			json: {label: 'JSON', key: 'j'},
			md: {label: 'Markdown', key: 'm'},
		},
		tables: {label: 'Tables', hint: '← → select'},
		allTables: (count: number) => `all ${count} shown`,
		table: (name: string, number: number, count: number) => `${name}, ${number} of ${count}`,
		destination: {label: 'To', hint: 'f file, b clipboard'},
		destinations: {file: 'file', clipboard: 'clipboard'},
		file: 'File',
		fileHint: (folder: string) => `in ${folder}; only you can read it`,
		filesHint: (parts: readonly string[], folder: string) =>
			`${parts.length} files in ${folder}, one per table`,
		isFolder: 'This is a folder: add a file name',
		replace: 'Replace the file?',
		replaceText: (path: string) => `${path} already exists. Its contents will be lost.`,
		exists: (path: string) => `${path} already exists.`,
		existsHint: 'Choose another name, or replace it.',
	},
} as const;
