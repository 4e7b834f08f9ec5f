import type {ActivityRow, ProductivityRow, TokenRow, ToolRow} from '../analytics.ts';
import type {Part} from './attribution.ts';
import {modelParts, userParts} from './credits.ts';
import {languageParts} from './output.ts';
import {toolParts} from './tools.ts';
import type {NameKind, UnusualMeasure} from './unusual.ts';

/** Where the days of a measure tell who or what it came from. */
export type DayNames<Family extends string, Row> = {
	readonly family: Family;
	readonly namesOf: (row: Row) => readonly (readonly [NameKind, readonly Part[] | undefined])[];
};

type AnyDayNames =
	| DayNames<'tokens', TokenRow>
	| DayNames<'activity', ActivityRow>
	| DayNames<'tools', ToolRow>
	| DayNames<'productivity', ProductivityRow>;

/** Languages are told of files, created or edited; of commits, pull requests and ratios a day tells no names. */
const languages: AnyDayNames = {
	family: 'productivity',
	namesOf: row => [['language', languageParts(row)]],
};

export const dayNames: Readonly<Partial<Record<UnusualMeasure, AnyDayNames>>> = {
	billable_tokens: {
		family: 'tokens',
		namesOf: row => [
			['model', modelParts(row)],
			['user', userParts(row)],
		],
	},
	daily_active_users: {
		family: 'activity',
		namesOf: ({daily_active_users_by_client: byClient}) => [
			['client', byClient && Object.entries(byClient).map(([key, value]) => ({key, value}))],
		],
	},
	files_created: languages,
	files_edited: languages,
	tool_calls: {family: 'tools', namesOf: row => [['tool', toolParts(row)]]},
};
