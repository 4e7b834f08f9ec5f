import {configFile} from '../config/folders.ts';
import {leftProfile} from '../config/profiles.ts';
import {
	changeService,
	makeDefault,
	removeProfile,
	renameProfile,
	requireSaved,
	type SavedProfile,
	savedProfiles,
} from '../config/saved-profiles.ts';
import {cleanLine} from '../text/cells/clean.ts';
import {safe} from '../text/cells/safe.ts';
import {agrees} from './cli/confirm.ts';
import type {CommandContext, CommandRun} from './cli/context.ts';
import {exitCodes, UsageError} from './cli/errors.ts';
import type {Flags} from './cli/parse.ts';
import {cliStrings} from './cli/strings.ts';
import {limitOf, printList, type RowFormat} from './output/print-rows.ts';
import {strings} from './strings.ts';

const {profiles: text} = strings;

/** Commands that list and change the profiles of the configuration file. They contact no service. */
export const profiles = {
	async list(context) {
		const limit = limitOf(context);
		const rows = savedProfiles(fileOf(context), await leftProfile(context.input));
		await printList(context, profileFormat, rows.slice(0, limit));
		return exitCodes.done;
	},

	async set(context) {
		const {args, flags, input, output} = context;
		const [name = ''] = args;
		const [keyFile, keyCommand] = [flags.text('key-file'), flags.text('key-command')];
		if (keyFile !== undefined && keyCommand !== undefined)
			throw new UsageError(cliStrings.usage.conflict('--key-file', '--key-command'));
		const change = {
			...given(flags, 'base-url', 'baseUrl'),
			...given(flags, 'app-url', 'appUrl'),
			...given(flags, 'key-file', 'keyFile'),
			...given(flags, 'key-command', 'keyCommand'),
		};
		const {baseUrl, before} = changeService(name, change, fileOf(context), input.home);
		if (output.isJson) output.json({id: name, quarterdeck: {baseUrl}});
		if (before !== undefined && before !== baseUrl) output.note(text.newAddress(before, baseUrl));
		return exitCodes.done;
	},

	async rename(context) {
		const [from = '', to = ''] = context.args;
		renameProfile(from, to, fileOf(context));
		if (context.output.isJson) context.output.json({id: to, quarterdeck: {from}});
		return exitCodes.done;
	},

	async default(context) {
		const [name = ''] = context.args;
		makeDefault(name, fileOf(context));
		if (context.output.isJson) context.output.json({id: name, quarterdeck: {isDefault: true}});
		return exitCodes.done;
	},

	async remove(context) {
		const {args, output} = context;
		const [name = ''] = args;
		requireSaved(name, fileOf(context));
		if (!(await agrees(context, text.question(name)))) {
			output.note(text.unchanged);
			return exitCodes.refused;
		}
		removeProfile(name, fileOf(context));
		if (output.isJson) output.json({id: name, quarterdeck: {isRemoved: true}});
		return exitCodes.done;
	},
} satisfies Record<string, CommandRun>;

function fileOf({input}: CommandContext): string {
	return configFile(input.env, input.home);
}

/** The flag's value under its name in the configuration, if it is given. */
function given<Name extends string>(flags: Flags, flag: string, name: Name): {readonly [_ in Name]?: string} {
	const value = flags.text(flag);
	return (value === undefined ? {} : {[name]: value}) as {readonly [_ in Name]?: string};
}

const profileFormat: RowFormat<SavedProfile> = {
	objectOf: ({name, ...fields}) => ({id: name, quarterdeck: fields}),
	columns: [
		{name: 'name', show: ({name}) => cleanLine(name)},
		{name: 'default', show: ({isDefault}) => (isDefault ? safe`yes` : safe`-`)},
		{name: 'used by', show: ({usedBy}) => cleanLine(usedBy.join(', ') || '-')},
		{name: 'address', show: ({isLocal, baseUrl}) => cleanLine(isLocal ? text.embedded : (baseUrl ?? '-'))},
		{
			name: 'key',
			show: ({isLocal, keyFile, keyCommand}) =>
				cleanLine(isLocal ? '-' : (keyFile ?? keyCommand ?? text.environment)),
		},
	],
};
