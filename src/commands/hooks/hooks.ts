import type {CommandRun} from '../cli/context.ts';
import {install, uninstall} from './change.ts';
import {status} from './status.ts';
import {test} from './test.ts';

export const hooks = {install, uninstall, status, test} satisfies Record<string, CommandRun>;
